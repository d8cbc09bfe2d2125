// Starts Swagger UI, with a plugin for what it lacks.
// Plugins: https://swagger.io/docs/open-source-tools/swagger-ui/customization/plugin-api/

// Signing out of the admin clears the storage of that tab, and changes this item of the device for the others.
const storageName = 'petstore.docs.authorized';
const signOutName = 'petstore.signed-out';

const plugin = ({ React: { createElement }, getComponent }) => ({
  components: {
    // Swagger UI has no field for the items of an array of int64, and logs an error for each.
    JsonSchema_integer_int64: (props) => createElement(getComponent('JsonSchema_string'), props),
  },
  wrapComponents: {
    // With the type JSON, Swagger UI would parse the text again.
    responseBody: (Original) => (props) =>
      createElement(Original, { ...props, contentType: 'text', content: indent(props.content) }),
    // A key in the command would end up in screenshots.
    curl: (Original) => (props) => createElement(Original, { ...props, request: withKeyOfShell(props.request) }),
  },
  statePlugins: {
    auth: { wrapActions: { authorize, persistAuthorizationIfNeeded } },
    configs: { wrapActions: { loaded } },
    spec,
  },
});

/** The person may have copied `Bearer` from the header of an example. */
const authorize = (original) => (keys) => {
  const { apiKey } = keys;
  if (!apiKey) return original(keys);
  const value = String(apiKey.value).trim();
  return original({ ...keys, apiKey: { ...apiKey, value: value.replace(/^(?:Bearer\s+)+/i, '') } });
};

/** Swagger UI calls it after each change. Its own `persistAuthorization` uses localStorage. */
const persistAuthorizationIfNeeded =
  (_original, { authSelectors }) =>
  () =>
    sessionStorage.setItem(storageName, JSON.stringify(authSelectors.authorized()));

/** Restores the authorization, until the person signs out of the admin. */
const loaded =
  (load, { authActions }) =>
  () => {
    load();
    addEventListener('storage', ({ key }) => {
      if (key === signOutName) authActions.logoutWithPersistOption(['apiKey']);
    });
    const authorized = JSON.parse(sessionStorage.getItem(storageName));
    if (authorized) authActions.restoreAuthorization({ authorized });
  };

const spec = {
  wrapActions: {
    updateJsonSpec: (update) => (document) => {
      const info = { ...document.info, description: foldAfterFirstParagraph(document.info.description) };
      // The page may send requests only to this service (connect-src 'self').
      return update({ ...document, info, servers: [{ url: '/v1' }] });
    },
  },
  wrapSelectors: {
    // Swagger UI fills in examples and defaults only where the value is undefined.
    parameterWithMetaByIdentity:
      (select) =>
      (_state, ...args) => {
        const parameter = select(...args);
        const isUntouched = parameter && !parameter.get('required') && parameter.get('value') === undefined;
        return isUntouched ? parameter.set('value', null) : parameter;
      },
  },
};

/** The operations are then near the top. */
function foldAfterFirstParagraph(text) {
  return `${text.replace('\n\n', '\n\n<details><summary>How to use the API</summary>\n\n')}\n\n</details>`;
}

/** Indents JSON without rounding integers beyond 2^53. Browsers without JSON.rawJSON show it as it was sent. */
function indent(json) {
  try {
    const exact = (_name, value, { source }) => (typeof value === 'number' ? JSON.rawJSON(source) : value);
    return JSON.stringify(JSON.parse(json, exact), undefined, 2);
  } catch {
    return json;
  }
}

/** Swagger UI quotes a header such that the shell replaces no variable in it. It leaves options as they are. */
function withKeyOfShell(request) {
  const header = ['headers', 'Authorization'];
  if (!request.hasIn(header)) return request;
  const noOptions = request.get('headers').toList().clear();
  const options = noOptions.push('-H "Authorization: Bearer $PETSTORE_API_KEY"');
  return request.deleteIn(header).set('curlOptions', options);
}

/** Swagger UI gives these controls no accessible name. */
const names = {
  '#servers': () => 'Server',
  '.close-modal': () => 'Close',
  '.body-param__text': () => 'Request body',
  '.examples-select-element': () => 'Example',
  'tr[data-param-name] :is(input, select)': (field) => field.closest('tr').dataset.paramName,
};
new MutationObserver(() => {
  for (const [selector, nameOf] of Object.entries(names)) {
    for (const element of document.querySelectorAll(selector)) element.ariaLabel ??= nameOf(element);
  }
}).observe(document.body, { childList: true, subtree: true });

document.documentElement.classList.toggle('dark-mode', matchMedia('(prefers-color-scheme: dark)').matches);

globalThis.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  plugins: [plugin],
  tryItOutEnabled: true,
  displayRequestDuration: true,
  syntaxHighlight: false,
  validatorUrl: null,
});
