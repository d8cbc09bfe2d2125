// Swagger UI gives these elements no accessible name, or a wrong one.
const fixes = {
  'tr[data-param-name] .parameters-col_description :is(select, input, textarea)': (element) =>
    setLabel(element, element.closest('tr').dataset.paramName),
  '.body-param__text': (element) => setLabel(element, 'Request body'),
  '.examples-select-element': (element) => setLabel(element, `Example${statusOf(element)}`),
  '.content-type': (element) => setLabel(element, `Media type${statusOf(element)}`),
  // With the role region it would be no table, and three regions would have no names.
  '.responses-table[role]': (element) => element.removeAttribute('role'),
  '.information-container': (element) => setRole(element, 'region', 'Introduction'),
  '.scheme-container': (element) => setRole(element, 'region', 'Authorization'),
  '.close-modal': (element) => setLabel(element, 'Close'),
  '.modal-btn.auth[aria-label]': (element) => element.removeAttribute('aria-label'),
  '.modal-ux': (element) => setRole(element, 'dialog', 'Available authorizations'),
  '.modal-ux h6': (element) => element.setAttribute('aria-level', '5'),
};

/** Applies the fixes after each change of the page. A component plugin would have to replace each of the components. */
export function addAccessibleNames(root) {
  const apply = () => {
    for (const [selector, fix] of Object.entries(fixes)) root.querySelectorAll(selector).forEach(fix);
  };
  new MutationObserver(apply).observe(root, { childList: true, subtree: true });
  apply();
}

function setLabel(element, label) {
  if (!element.hasAttribute('aria-label')) element.setAttribute('aria-label', label);
}

function setRole(element, role, label) {
  element.setAttribute('role', role);
  setLabel(element, label);
}

/** Part of a name, for elements of one response. */
function statusOf(element) {
  const code = element.closest('tr[data-code]')?.dataset.code;
  return code ? ` of status ${code}` : '';
}
