// The entry point. It checks the version of Node before it loads the command, whose imports older versions do not have. Its
// syntax is one that they can parse.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if ((major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22) {
  void import('./main.js');
} else {
  console.error(
    `The petstore command needs Node.js 20 (from 20.19), 22 (from 22.12) or newer. This is ${process.version}.\n` +
      'Install one from https://nodejs.org, then run the command again.',
  );
  process.exitCode = 1;
}
