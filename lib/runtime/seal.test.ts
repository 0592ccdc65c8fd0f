import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';

const OLD = 'o'.repeat(16) + randomBytes(16).toString('hex');
const NEW = 'n'.repeat(16) + randomBytes(16).toString('hex');
const settings = vi.hoisted(() => ({ dataKeys: [] as string[] }));
vi.mock('./env.ts', () => ({ env: () => settings }));

/** Loads the module as a process does that was started with these keys. */
async function startedWith(...dataKeys: string[]) {
  settings.dataKeys = dataKeys;
  vi.resetModules();
  return import('./seal.ts');
}

beforeEach(() => void (settings.dataKeys = []));

describe('a sealed value', () => {
  test('opens where it was sealed, and nowhere else', async () => {
    const { seal, unseal } = await startedWith(NEW);
    const sealed = seal('provider-token', 'row-1', 'çok gizli');
    expect(Buffer.from(sealed).toString('latin1')).not.toContain('gizli');
    expect(unseal('provider-token', 'row-1', sealed)).toBe('çok gizli');
    expect(() => unseal('provider-token', 'row-2', sealed)).toThrow('does not open');
    expect(() => unseal('challenge-password', 'row-1', sealed)).toThrow('does not open');
    for (let at = 0; at < sealed.length; at += 1) {
      const bent = Uint8Array.from(sealed, (byte, index) => (index === at ? byte ^ 1 : byte));
      expect(() => unseal('provider-token', 'row-1', bent), `byte ${at}`).toThrow('does not open');
    }
    for (let length = 0; length < sealed.length; length += 1)
      expect(
        () => unseal('provider-token', 'row-1', sealed.slice(0, length)),
        `${length} bytes`,
      ).toThrow('does not open');
  });

  test('of an old key opens while that key stands behind the new one, and not after it is gone', async () => {
    const sealed = (await startedWith(OLD)).seal('provider-token', 'row', 'token');
    const during = await startedWith(NEW, OLD);
    expect(during.unseal('provider-token', 'row', sealed)).toBe('token');
    expect(Buffer.from(sealed).indexOf(Buffer.from(during.newestPrefix('provider-token')))).toBe(
      -1,
    );
    const anew = during.seal('provider-token', 'row', 'token');
    expect(Buffer.from(anew).indexOf(Buffer.from(during.newestPrefix('provider-token')))).toBe(0);
    const after = await startedWith(NEW);
    expect(after.unseal('provider-token', 'row', anew)).toBe('token');
    expect(() => after.unseal('provider-token', 'row', sealed)).toThrow('does not open');
  });

  test('of the first layout, which named no key, still opens', async () => {
    const iv = randomBytes(12);
    const cipher = createCipheriv(
      'aes-256-gcm',
      Buffer.from(hkdfSync('sha256', OLD, 'dashboard', 'provider-token', 32)),
      iv,
    ).setAAD(Buffer.from('row'));
    const text = Buffer.concat([cipher.update('token', 'utf8'), cipher.final()]);
    const sealed = Buffer.concat([Buffer.of(1), iv, cipher.getAuthTag(), text]);
    expect((await startedWith(NEW, OLD)).unseal('provider-token', 'row', sealed)).toBe('token');
  });
});

describe('a keyed hash', () => {
  test('is the same for the same text and key, and says nothing without the key', async () => {
    const hashesOf = async (...keys: string[]) =>
      (await startedWith(...keys)).keyedHashes('send-journal-payee', 'TR12');
    const [old] = await hashesOf(OLD);
    expect(await hashesOf(OLD)).toEqual([old]);
    expect(old).not.toContain('TR12');
    expect(await hashesOf(NEW)).not.toContain(old);
  });

  test('of an old key is found while that key stands behind the new one', async () => {
    const [old] = (await startedWith(OLD)).keyedHashes('send-journal-payee', 'TR12');
    const during = (await startedWith(NEW, OLD)).keyedHashes('send-journal-payee', 'TR12');
    expect(during).toHaveLength(2);
    expect(during[1]).toBe(old);
  });
});
