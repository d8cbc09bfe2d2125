import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';

/**
 * The script of the library uses a function of the package bash-completion, which many systems do not have. While it runs,
 * this defines the function if it is missing.
 */
const bashWithoutPackage = `
__petstore_complete_anywhere() {
    if declare -F _get_comp_words_by_ref > /dev/null; then
        __petstore_complete
    else
        _get_comp_words_by_ref() { words=("\${COMP_WORDS[@]}") cword=$COMP_CWORD cur=\${words[cword]}; }
        __petstore_complete
        unset -f _get_comp_words_by_ref
    fi
}
complete -F __petstore_complete_anywhere petstore`;

/** Adds `petstore completion <shell>`. */
export function addCompletion(program: Command): void {
  const root = tab(program, { completionCommandName: 'completion' });
  const completion = program.commands.find((command) => command.name() === 'completion');
  completion?.hook('postAction', ({ args: [shell] }) => {
    if (shell === 'bash') console.log(bashWithoutPackage);
  });
  // The scripts of the library do not complete file names.
  for (const name of ['import', 'export']) {
    const file = root.commands.get(name)?.arguments.get('file');
    if (file) file.handler = (complete) => filesLike(process.argv.at(-1) ?? '').forEach((path) => complete(path, ''));
  }
}

/** The files in the directory of a path that is not complete yet. */
function filesLike(path: string): string[] {
  const folder = path.endsWith('/') ? path : dirname(path);
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.map((entry) => `${join(folder, entry.name)}${entry.isDirectory() ? '/' : ''}`);
  } catch {
    return [];
  }
}
