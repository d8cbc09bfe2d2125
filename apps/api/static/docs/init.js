/* global SwaggerUIBundle */

// Swagger UI parses an answer and prints it again, which rounds integers beyond 2^53. Here the text is shown as it
// came, with line breaks added.
const exactAnswers = () => ({
  wrapComponents: {
    responseBody: (Original, { React }) =>
      function ExactResponseBody(props) {
        if (!/json/i.test(props.contentType ?? '') || typeof props.content !== 'string') {
          return React.createElement(Original, props);
        }
        return React.createElement(Original, { ...props, contentType: 'text/plain', content: indent(props.content) });
      },
  },
});

/** Breaks compact JSON into lines without touching a digit. */
function indent(json) {
  let depth = 0;
  const line = () => `\n${'  '.repeat(depth)}`;
  return json.replaceAll(/"(?:[^"\\]|\\.)*"|[{[](?=[\]}])[}\]]|[{[\]},:]/g, (token) => {
    if (token === '{' || token === '[') {
      depth += 1;
      return token + line();
    }
    if (token === '}' || token === ']') {
      depth -= 1;
      return line() + token;
    }
    if (token === ',') return token + line();
    return token === ':' ? ': ' : token;
  });
}

// The page may ask this service alone (connect-src 'self'), whichever the document names first.
const thisService = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (update) => (document) => {
          const here = (document.servers ?? []).filter(({ url }) => new URL(url, location).origin === location.origin);
          return update({
            ...document,
            servers: here.length > 0 ? here : [{ url: '/v1', description: 'This service' }],
          });
        },
      },
    },
  },
});

// The link of the first start carries the key behind the "#", which no browser sends; it leaves the address at once.
const key = new URLSearchParams(location.hash.slice(1)).get('key');
if (key) history.replaceState(null, '', location.pathname);

const ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: !key,
  persistAuthorization: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  validatorUrl: null,
  plugins: [exactAnswers, thisService],
  onComplete: () => key && authorize(key),
});

/** As the Authorize dialog does it, so that it lasts over a reload; preauthorizeApiKey would not. */
function authorize(value) {
  ui.authActions.authorizeWithPersistOption({
    apiKey: { name: 'apiKey', schema: { type: 'http', scheme: 'bearer' }, value },
  });
}
