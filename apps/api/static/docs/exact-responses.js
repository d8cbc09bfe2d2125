/** Swagger UI parses a response and prints it again, which rounds integers beyond 2^53. This shows the original text. */
export const exactResponses = () => ({
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

/** Breaks compact JSON into lines without changing a digit. */
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
