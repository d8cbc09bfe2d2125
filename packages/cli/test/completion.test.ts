import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { environment, file, folder, program } from './support/command.js';

const bin = join(folder, 'bin');
const env = { ...environment({}), PATH: `${bin}:${process.env['PATH']}` };

beforeAll(() => {
  mkdirSync(bin);
  const script = `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`;
  writeFileSync(join(bin, 'petstore'), script, { mode: 0o755 });
  file('animals.csv', '');
});

/** Completes lines as bash does after Tab: it sets COMP_WORDS and calls the function that `complete` has registered. */
function completeInBash(lines: readonly string[]): string[] {
  const script = `
    source <(petstore completion bash)
    # Works only while bash itself completes.
    compopt() { :; }
    handler=$(complete -p petstore | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
    for COMP_LINE in "$@"; do
      read -r -a COMP_WORDS <<< "$COMP_LINE"
      [[ $COMP_LINE != *' ' ]] || COMP_WORDS+=('')
      COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)) COMP_POINT=\${#COMP_LINE}
      "$handler"
      echo "\${COMPREPLY[*]}"
    done`;
  return execFileSync('bash', ['-c', script, 'bash', ...lines], { cwd: folder, env, encoding: 'utf8' })
    .trimEnd()
    .split('\n');
}

/**
 * Types each line and Tab in an interactive zsh, because zsh completes only in its line editor. Returns the lines after
 * that. Ctrl-T prints the line and deletes it.
 */
function completeInZsh(lines: readonly string[]): string[] {
  const script = `
    zmodload zsh/zpty
    zpty shell zsh -f -i
    zpty -w shell 'autoload -Uz compinit; compinit -u -D; source <(petstore completion zsh)'
    zpty -w shell 'show() { zle -I; print -r -- "line""=$BUFFER;"; BUFFER=; }; zle -N show; bindkey "^T" show; print read""y'
    zpty -r shell output '*ready*'
    for line in "$@"; do
      zpty -w -n shell "$line"$'\\t\\x14'
      zpty -r shell output '*line=*;*'
      print -r -- "\${\${output##*line=}%%;*}"
    done`;
  const args = ['-f', '-c', script, 'zsh', ...lines];
  return execFileSync('zsh', args, { cwd: folder, env, encoding: 'utf8', timeout: 50_000 }).trimEnd().split('\n');
}

describe('completion', () => {
  it('in bash completes commands, flags, values and files', () => {
    const lines = [
      'petstore li',
      'petstore import --skip-i',
      'petstore list --status ',
      'petstore export --format n',
      'petstore import anim',
    ];
    expect(completeInBash(lines)).toEqual([
      'list',
      '--skip-invalid',
      'available pending sold',
      'ndjson',
      'animals.csv',
    ]);
  });

  it('in zsh completes commands, flags, values and files', ({ skip }) => {
    skip(spawnSync('zsh', ['--version']).status !== 0, 'zsh is not installed.');
    const lines = ['petstore li', 'petstore import --skip-i', 'petstore list --status a', 'petstore import anim'];
    expect(completeInZsh(lines).map((line) => line.trimEnd())).toEqual([
      'petstore list',
      'petstore import --skip-invalid',
      'petstore list --status available',
      'petstore import animals.csv',
    ]);
  });
});
