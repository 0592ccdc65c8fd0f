import { afterAll, beforeAll, expect, it } from 'vitest';
import { Sandbox } from './testing/sandbox.ts';
import { Shop } from './testing/shop.ts';
import { Writes } from './testing/writes.ts';

const KILLS = 3;
const HANDS = 6;
const LEAST = 60;

let box: Sandbox;
beforeAll(async () => {
  box = await new Sandbox().start();
});
afterAll(() => box.stop());

it('killed again and again while it writes, it has every write it answered, each once [gateway: durable]', async () => {
  const writes = new Writes(box, await new Shop(box).open(), 'kill');
  for (let kill = 1; kill <= KILLS; kill++) {
    const load = writes.run(HANDS);
    await box.until(() => writes.count >= kill * LEAST);
    await box.end('SIGKILL');
    await load;
    await box.boot();
    expect(await writes.problems()).toEqual([]);
  }
  for (const [kind, answered] of Object.entries(writes.answered))
    expect([kind, answered.size > 0]).toEqual([kind, true]);
});
