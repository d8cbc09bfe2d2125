import { readKeyInfo } from '@petstore/client';
import { printable, removeBearer, stringifyJson } from '@petstore/contracts';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { read } from 'read';
import { configFile, removeLogin, saveLogin } from '../config-file.js';
import { defaultUrl, type GlobalFlags, readVariable, toBaseUrl, toConnection } from '../connection.js';
import { UsageError } from '../errors.js';

const examples = `
Examples:
  petstore login --url https://store.example.com
  pass show petstore | petstore login --url https://store.example.com

Saves the address and the API key in ${configFile}, which only you can read.
Without a terminal, the API key is read from standard input.
--json prints what was saved, without the key: {"url":"https://store.example.com/v1","config":"…"}`;

export function addLogin(program: Command): void {
  program
    .command('login')
    .description('Saves the address of the service and the API key.')
    .addHelpText('after', examples)
    .action((_flags: unknown, command: Command) => login(command.optsWithGlobals()));
}

async function login(flags: GlobalFlags): Promise<void> {
  const baseUrl = toBaseUrl(flags.url ?? readVariable('PETSTORE_URL') ?? defaultUrl);
  const apiKey = removeBearer(flags.key ?? (await readKey(baseUrl)));
  if (!apiKey) throw new UsageError('There is no API key on standard input.');
  // The marks of UTF-16, which PowerShell writes.
  if (/[\0\uFFFD]/.test(apiKey)) throw new UsageError('The API key is UTF-16 or another encoding. Save it as UTF-8.');
  const connection = toConnection(baseUrl, apiKey, flags);
  const { name, scopes } = await readKeyInfo(connection);
  await saveLogin({ url: baseUrl, apiKey });
  const scopeList = scopes.join(', ');
  console.log(
    flags.json
      ? stringifyJson({ url: baseUrl, config: configFile })
      : `Logged in to ${baseUrl} with the API key "${printable(name)}" (${scopeList}).\nSaved in ${configFile}.`,
  );
}

/** Asks for the key without showing it. */
async function readKey(baseUrl: string): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).trim();
  const prompt = `API key for ${baseUrl}: `;
  return (await read({ prompt, silent: true, replace: '*', output: process.stderr })).trim();
}

export function addLogout(program: Command): void {
  program
    .command('logout')
    .description('Removes the saved address and API key from this computer. The key stays valid.')
    .addHelpText('after', `\n--json prints {"config":"…","removed":true}`)
    .action(async (_flags: unknown, command: Command) => {
      const removed = await removeLogin();
      const { json } = command.optsWithGlobals<GlobalFlags>();
      const sentence = removed ? `Removed ${configFile}. The API key stays valid.` : 'No login is saved.';
      console.log(json ? stringifyJson({ config: configFile, removed }) : sentence);
    });
}
