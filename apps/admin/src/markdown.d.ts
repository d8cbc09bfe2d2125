/** The HTML of a document. */
declare module '*.md' {
  const html: string;
  export default html;
}
