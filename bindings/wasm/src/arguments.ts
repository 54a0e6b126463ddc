/** Arguments of wrong types, which programs without types can give. */

/** A value as an error names it. */
function found(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  const name = Object.prototype.toString.call(value).slice(8, -1);
  return name === 'Object' ? 'an object' : `an object of type ${name}`;
}

/** The error for an argument of a function. */
export function wrong(name: string, argument: string, expected: string, value: unknown): TypeError {
  return new TypeError(`${name}: ${argument}: expected ${expected}, found ${found(value)}`);
}

/** Throws a TypeError unless a value is a string. */
export function checkText(name: string, argument: string, value: unknown): void {
  if (typeof value !== 'string') throw wrong(name, argument, 'a string', value);
}

/** Throws a TypeError unless a value is an object that may hold options. */
export function checkObject(name: string, argument: string, value: unknown): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value)) throw wrong(name, argument, 'an object', value);
}
