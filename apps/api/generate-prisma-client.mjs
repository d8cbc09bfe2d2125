import { createRequire } from 'node:module';
import { resolve } from 'node:path';

// `prisma generate` does the same, but the Prisma CLI is 130 MB larger and downloads an engine that this does not need.
const require = createRequire(import.meta.url);
const { getGenerators, loadSchemaContext } = require('@prisma/internals');
// Its ES module cannot be loaded by Node.
const { PrismaClientTsGenerator } = require('@prisma/client-generator-ts');

const registry = { 'prisma-client': { type: 'in-process', generator: new PrismaClientTsGenerator() } };
const schemaPath = { cliProvidedPath: resolve(process.argv[2]) };
const schemaContext = await loadSchemaContext({ schemaPath, printLoadMessage: false });
const generators = await getGenerators({ schemaContext, registry });
for (const generator of generators) {
  await generator.generate();
  generator.stop();
}
