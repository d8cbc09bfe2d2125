// The entry of every `npm run` command. It checks the version before it imports anything, in syntax that an outdated
// Node can parse.
const [major, minor] = process.versions.node.split('.').map(Number);
const supported = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22;

if (!supported) {
  console.error(
    `Petstore needs Node.js 20.19 or newer (for version 22: 22.12 or newer). This is ${process.version}.\n` +
      'Install it from https://nodejs.org, then run the same command again.',
  );
  process.exit(1);
}
const { run } = await import('./commands.mjs');
await run(process.argv[2], process.argv.slice(3));
