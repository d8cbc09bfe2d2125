import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

// Declarations of the published package must not import the contracts, which are a private package.
const isDeclaration = (path) => !/\.js(\.map)?$/.test(path);
cpSync('../contracts/dist', 'dist/contracts', { recursive: true, filter: isDeclaration });
for (const name of readdirSync('dist').filter((file) => file.endsWith('.d.ts'))) {
  const declarations = readFileSync(`dist/${name}`, 'utf8');
  writeFileSync(`dist/${name}`, declarations.replaceAll("'@petstore/contracts'", "'./contracts/index.js'"));
}
