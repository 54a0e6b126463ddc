/** An error with a stable code. */
export class LinkglotError extends Error {
  override readonly name = 'LinkglotError';
  /** The code of the reason. */
  readonly kind: string;
  /** The UTF-16 unit of the fault, if it has a place. */
  readonly at: number | null;

  constructor(message: string, kind: string, at: number | null = null) {
    super(message);
    this.kind = kind;
    this.at = at;
  }
}
