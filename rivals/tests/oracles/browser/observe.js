// Reports the view of scripts on the elements with a mark such as `look="prop href"`. Runs in each page and reports to
// the page around it.
(function () {
  var probe = document.createElement('a');
  function resolved(reference) { probe.setAttribute('href', reference); return probe.href; }
  function tokens(text, by) { return text.split(by).filter(Boolean).map(resolved); }
  var ways = {
    // A property with a URL.
    prop: function (element, name) { return element[name]; },
    // An attribute without a property for its URL.
    attr: function (element, name) { return resolved(element.getAttribute(name)); },
    list: function (element, name) { return tokens(element.getAttribute(name), /[\t\n\f\r ]+/); },
    commas: function (element, name) { return tokens(element.getAttribute(name), /[\t\n\f\r ]*,[\t\n\f\r ]*/); },
    animated: function (element, name) { return resolved(element[name].baseVal); },
    // The serialised value has backslashes before quotes and backslashes.
    style: function (element, name) {
      return element.ownerDocument.defaultView.getComputedStyle(element)[name].replace(/\\(.)/g, '$1');
    },
    json: function (element, name) { return resolved(JSON.parse(element.textContent)[name]); },
    inner: function (element) { return look(element.contentDocument); },
    // The attribute as written, and the property.
    both: function (element, name) {
      var text = element.getAttribute(name);
      var known = URL.canParse(text, element.baseURI);
      return { url: known ? element[name] : 'no URL', text: text };
    }
  };
  function look(document) {
    var seen = {};
    document.querySelectorAll('[look]').forEach(function (element) {
      var way = element.getAttribute('look').split(' ');
      try { seen[element.id] = ways[way[0]](element, way[1]); } catch (error) { seen[element.id] = 'failed: ' + error; }
    });
    return seen;
  }
  function tell(what) {
    what.page = location.pathname.split('/').slice(-2).join('/');
    what.charset = document.characterSet;
    parent.postMessage(what, '*');
  }
  if (document.currentScript.hasAttribute('refresh')) {
    navigation.addEventListener('navigate', function (event) {
      tell({ seen: { refresh: event.destination.url } });
      event.preventDefault();
    });
  } else {
    var sheet = document.createElement('link');
    sheet.rel = 'stylesheet';
    sheet.href = location.href.replace(/html$/, 'css');
    document.head.appendChild(sheet);
    addEventListener('load', function () { tell({ seen: look(document) }); });
  }
})();
