import { printable, stringifyJson } from '@petstore/contracts';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { read } from 'read';
import { configFile, saveLogin } from '../config-file.js';
import { createClient, type GlobalFlags, toBaseUrl } from '../connection.js';
import { readKeyInfo } from '../key-info.js';

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
  const baseUrl = toBaseUrl(flags.url || process.env['PETSTORE_URL'] || 'http://localhost:3000');
  const apiKey = flags.key || (await readKey(baseUrl));
  const connection = { baseUrl, apiKey };
  // Validates the key before it is sent.
  createClient(connection);
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
