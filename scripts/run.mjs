// Every `npm run …` comes through here. Nothing is imported before the version is known to be right, and the syntax is
// plain, so that an outdated Node gets as far as the message.
const [major, minor] = process.versions.node.split('.').map(Number);
const supported = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22;

if (!supported) {
  console.error(
    `Petstore needs Node.js 20.19 or newer (of the 22 line: 22.12 or newer), this is ${process.version}.\n` +
      'Get one from https://nodejs.org, then run the same command again.',
  );
  process.exit(1);
}
const { run } = await import('./commands.mjs');
await run(process.argv[2], process.argv.slice(3));
