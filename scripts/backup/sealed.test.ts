import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { seal, unseal } from './sealed.ts';

const SECRET = randomBytes(32).toString('base64url');

async function* of(...pieces: Buffer[]): AsyncGenerator<Buffer> {
  yield* pieces;
}
const whole = async (source: AsyncIterable<Buffer>): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  for await (const piece of source) pieces.push(piece);
  return Buffer.concat(pieces);
};
const CONTENT = [randomBytes(70_000), Buffer.alloc(0), randomBytes(1), Buffer.from('amount 12,00')];
const sealed = await whole(seal(of(...CONTENT), SECRET));

describe('a sealed file', () => {
  it('gives back every byte, in whatever pieces it is read', async () => {
    for (const size of [1, 7, 4_096, sealed.length]) {
      const pieces = Array.from({ length: Math.ceil(sealed.length / size) }, (_, at) =>
        sealed.subarray(at * size, (at + 1) * size),
      );
      expect(await whole(unseal(of(...pieces), SECRET))).toEqual(Buffer.concat(CONTENT));
    }
  });

  it('holds nothing of its content as it is', () => {
    expect(sealed.includes('amount')).toBe(false);
  });

  it('is refused with another key', async () => {
    await expect(whole(unseal(of(sealed), 'another'))).rejects.toThrow(/BACKUP_KEY/);
  });

  it('is refused when a byte anywhere was changed', async () => {
    for (let at = 0; at < sealed.length; at += 911) {
      const changed = Buffer.from(sealed);
      changed[at]! ^= 1;
      await expect(whole(unseal(of(changed), SECRET)), `byte ${at}`).rejects.toThrow(/backup/i);
    }
  });

  it('is refused when it was cut off or continued', async () => {
    for (const end of [3, 20, 38, 60_000, sealed.length - 21, sealed.length - 1])
      await expect(whole(unseal(of(sealed.subarray(0, end)), SECRET))).rejects.toThrow(/backup/i);
    const longer = Buffer.concat([sealed, Buffer.from('x')]);
    await expect(whole(unseal(of(longer), SECRET))).rejects.toThrow(/changed/);
  });

  it('is refused when a chunk in its middle is called the last one', async () => {
    const [head, first] = [6 + 32, 5 + CONTENT[0]!.length + 16];
    const shorter = Buffer.from(sealed.subarray(0, head + first));
    shorter[head + 4] = 1;
    await expect(whole(unseal(of(shorter), SECRET))).rejects.toThrow(/changed/);
    await expect(whole(unseal(of(shorter), SECRET, { isOpen: true }))).rejects.toThrow(/changed/);
  });

  it('gives its whole chunks while it is still being written', async () => {
    const open = sealed.subarray(0, sealed.length - 30);
    const held = await whole(unseal(of(open), SECRET, { isOpen: true }));
    expect(Buffer.concat(CONTENT).subarray(0, held.length)).toEqual(held);
    expect(held.length).toBeGreaterThan(70_000);
  });
});
