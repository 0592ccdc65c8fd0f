import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/**
 * hash_key of the contract: iv:salt:base64(AES-256-CBC), with each slash written as two
 * underscores. The AES key of 32 bytes is the first half of the SHA-256 text of 64 characters
 * (published).
 */

function keyOf(appSecret: string, salt: string): Buffer {
  const password = createHash('sha1').update(appSecret, 'utf8').digest('hex');
  return Buffer.from(
    createHash('sha256')
      .update(password + salt, 'utf8')
      .digest('hex')
      .slice(0, 32),
    'latin1',
  );
}

/** Makes the hash of values joined by pipes, in the order given. */
export function makeHash(values: readonly string[], appSecret: string): string {
  const iv = randomBytes(8).toString('hex');
  const salt = randomBytes(2).toString('hex');
  const cipher = createCipheriv('aes-256-cbc', keyOf(appSecret, salt), Buffer.from(iv, 'latin1'));
  const encrypted = Buffer.concat([
    cipher.update(values.join('|'), 'utf8'),
    cipher.final(),
  ]).toString('base64');
  return `${iv}:${salt}:${encrypted}`.replaceAll('/', '__');
}

/** Returns the values inside a hash; null when it cannot be deciphered. */
export function openHash(hash: string, appSecret: string): string[] | null {
  const [iv, salt, encrypted, ...rest] = hash.replaceAll('__', '/').split(':');
  if (
    rest.length > 0 ||
    !iv ||
    !salt ||
    !encrypted ||
    !/^[0-9a-f]{16}$/i.test(iv) ||
    !/^[0-9a-f]{4}$/i.test(salt)
  )
    return null;
  try {
    const decipher = createDecipheriv(
      'aes-256-cbc',
      keyOf(appSecret, salt),
      Buffer.from(iv, 'latin1'),
    );
    const plain = Buffer.concat([
      decipher.update(Buffer.from(encrypted, 'base64')),
      decipher.final(),
    ]).toString('utf8');
    return plain.includes('|') ? plain.split('|') : null;
  } catch {
    return null;
  }
}
