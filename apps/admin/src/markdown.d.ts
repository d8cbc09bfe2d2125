declare module '*.md' {
  const page: { html: string; sections: { id: string; title: string }[] };
  export default page;
}
