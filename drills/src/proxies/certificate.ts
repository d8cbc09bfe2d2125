import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Creates `fullchain.pem` and `privkey.pem` for localhost. The certificate signs itself. */
export async function createCertificate(directory: string): Promise<void> {
  const [key, certificate] = [join(directory, 'privkey.pem'), join(directory, 'fullchain.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const options = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...subject];
  await promisify(execFile)('openssl', [...options, '-keyout', key, '-out', certificate]);
}
