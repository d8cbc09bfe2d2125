// The entry point of every `npm run …`. It checks the version of Node before it imports anything, in a syntax that older
// versions can parse. In package.json, `exec` replaces the shell of npm, which would not pass signals on.
const [major, minor] = process.versions.node.split('.').map(Number);
const supported = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22;

if (!supported) {
  console.error(
    `Petstore needs Node.js 20 (from 20.19), 22 (from 22.12) or newer. This is ${process.version}.\n` +
      'Install one from https://nodejs.org, then run the command again.',
  );
  process.exit(1);
}
const { run } = await import('./commands.mjs');
await run(process.argv[2], process.argv.slice(3));
