#!/usr/bin/env node
/**
 * Checks an export of the audit log with nothing but Node, this file and `verify-approvals.mjs`
 * beside it: no database, no network, no code of the product. It says OK with what it counted, or
 * names the first entry that does not hold.
 *
 * node scripts/verify-audit.mjs EXPORT.ndjson [--checkpoints FILE] [--key-file FILE]
 *
 * --checkpoints: a file kept from an earlier day, with checkpoints or an earlier export. Only this
 * option finds a tail that was cut off, or a chain that was made anew from some entry on. It may be
 * given several times.
 *
 * --key-file: the public key of the installation in hexadecimal, to check the signatures; who has
 * this key can check and not sign. It may be given several times, when the key was replaced. The
 * operator of the installation prints it with: DATA_KEY=… node scripts/verify-audit.mjs --print-key
 *
 * Ends with 0 when everything holds, 1 when something does not, 2 when it could not check.
 */
import { createHash, createPrivateKey, createPublicKey, hkdfSync, verify } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { SignedApprovals } from './verify-approvals.mjs';

const NEW_LINE = 10;
const HASH = /^[0-9a-f]{64}$/;
const GENESIS = sha256();

/** An error that says what is wrong, and in which entry. */
class Bad extends Error {}

/**
 * Takes the lines of an export one by one, as bytes without their newline. `checkpoints` are lines
 * of text, `keys` public keys in hexadecimal; without a key no signature is checked.
 */
export class Verification {
  constructor({ checkpoints = [], keys = [] } = {}) {
    this.keys = keys;
    this.older = 0;
    this.digest = createHash('sha256');
    this.header = null;
    this.end = null;
    this.entries = 0;
    this.last = { seq: 0, hash: GENESIS };
    this.personal = { proved: 0, erased: 0 };
    const read = checkpoints.map((line) => readCheckpoint(line));
    this.checkpoints = read.filter((one) => one !== null).sort((a, b) => a.entries - b.entries);
    this.unread = read.length - this.checkpoints.length;
    this.held = 0;
  }

  /** Checks the next line; throws Bad when it does not hold. */
  line(bytes) {
    if (this.end) throw new Bad('there are lines after the end of the export');
    const text = utf8(bytes, this.where());
    const value = json(text, this.where());
    if (!this.header) return this.takeHeader(value, text);
    if (value.end === 'audit') return this.takeEnd(value, text);
    this.takeEntry(value, text);
  }

  /** Returns what was checked; throws Bad when the export is not complete. */
  finish() {
    if (!this.header) throw new Bad('the file is empty');
    if (!this.end)
      throw new Bad(`the file was cut off after entry ${this.last.seq}: its last line is missing`);
    for (const checkpoint of this.checkpoints) {
      if (checkpoint.merchant !== this.header.merchant) continue;
      if (this.whole && checkpoint.entries > this.last.seq)
        throw new Bad(
          `entry ${this.last.seq + 1} is missing: the checkpoint of ${checkpoint.day} ` +
            `counted ${checkpoint.entries} entries, the tail was cut off after ${this.last.seq}`,
        );
    }
    const { entries, last, personal, held, unread, older, keys, whole, header } = this;
    return {
      ...{ entries, last, personal, held, unread, older },
      approvals: this.approvals.signed,
      signed: keys.length > 0,
      whole,
      withPersonal: header.personal,
    };
  }

  where() {
    return this.header ? `the line after entry ${this.last.seq}` : 'the first line';
  }

  count(text) {
    this.digest.update(`${text}\n`, 'utf8');
  }

  takeHeader(header, text) {
    if (
      header.export !== 'audit' ||
      header.version !== 1 ||
      !Number.isSafeInteger(header.head?.seq) ||
      header.filter === undefined
    )
      throw new Bad('the first line is not the header of an audit export that this program knows');
    this.header = header;
    this.whole = header.filter === null;
    this.approvals = new SignedApprovals(this.whole);
    this.count(text);
    for (const checkpoint of this.checkpoints) this.checkSignature(checkpoint);
  }

  takeEntry(row, text) {
    const seq = this.checkShape(row, text);
    const { body, prev, hash } = row;
    if (sha256(Buffer.from(prev, 'hex'), Buffer.from(body, 'utf8')) !== hash)
      throw new Bad(`entry ${seq}: its content does not fit its hash`);
    if (this.whole && seq !== this.last.seq + 1)
      throw new Bad(
        seq > this.last.seq
          ? `entry ${this.last.seq + 1} is missing: entry ${seq} follows entry ${this.last.seq}`
          : `entry ${seq} stands after entry ${this.last.seq}`,
      );
    if (!this.whole && seq <= this.last.seq)
      throw new Bad(`entry ${seq} stands after entry ${this.last.seq}`);
    if (seq === this.last.seq + 1 && prev !== this.last.hash)
      throw new Bad(
        `entry ${seq} does not follow entry ${this.last.seq}: it was written after another one`,
      );
    const said = JSON.parse(body);
    this.checkPersonal(seq, said.personal ?? {}, row.personal ?? {});
    const wrong = this.approvals.take(said);
    if (wrong !== null) throw new Bad(`entry ${seq}: ${wrong}`);
    [this.last, this.entries] = [{ seq, hash }, this.entries + 1];
    this.count(text);
    for (const checkpoint of this.checkpoints) this.compare(checkpoint);
  }

  /**
   * Checks that a line has the only form in which it can be written, so that no byte of it can be
   * changed unnoticed. Returns the entry's number.
   */
  checkShape(row, text) {
    const { body, prev, hash, personal, ...more } = row;
    const said = typeof body === 'string' ? json(body, this.where()) : {};
    if (
      !Number.isSafeInteger(said.seq) ||
      !HASH.test(prev) ||
      !HASH.test(hash) ||
      Object.keys(more).length > 0
    )
      throw new Bad(`${this.where()} is not an entry`);
    if (JSON.stringify({ body, prev, hash, ...(personal ? { personal } : {}) }) !== text)
      throw new Bad(`entry ${said.seq}: the line was changed`);
    if (said.merchant !== this.header.merchant)
      throw new Bad(`entry ${said.seq} belongs to another merchant`);
    return said.seq;
  }

  checkPersonal(seq, committed, given) {
    for (const [field, { value, salt, ...more }] of Object.entries(given)) {
      const fits =
        typeof value === 'string' &&
        HASH.test(salt) &&
        Object.keys(more).length === 0 &&
        sha256(Buffer.from(salt, 'hex'), Buffer.from(`${field}=${value}`, 'utf8')) ===
          committed[field];
      if (!fits)
        throw new Bad(
          `entry ${seq}: the personal value "${field}" is not the one it was written with`,
        );
      this.personal.proved += 1;
    }
    this.personal.erased += Object.keys(committed).length - Object.keys(given).length;
  }

  takeEnd(end, text) {
    const proof = end.mac === undefined ? { signature: end.signature } : { mac: end.mac };
    if (
      JSON.stringify({
        end: 'audit',
        entries: end.entries,
        digest: end.digest,
        key: end.key,
        ...proof,
      }) !== text
    )
      throw new Bad('the last line was changed');
    const { header, entries, last } = this;
    if (entries !== header.entries || entries !== end.entries)
      throw new Bad(
        `after entry ${last.seq} entries are missing: the export says ${header.entries}, the file has ${entries}`,
      );
    if (this.whole && (last.seq !== header.head.seq || last.hash !== header.head.hash))
      throw new Bad(
        `entry ${last.seq} is not the head that the export names (entry ${header.head.seq})`,
      );
    const digest = this.digest.digest('hex');
    if (digest !== end.digest)
      throw new Bad(
        'the digest in the last line is not that of the lines before it: the file was changed after it was exported',
      );
    if (this.keys.length > 0 && end.mac !== undefined)
      throw new Error(
        'this export was signed in an older form, which only the installation itself can ' +
          'check: check it without --key-file, or export again',
      );
    if (!this.isSigned(end, `export ${digest}`))
      throw new Bad(
        'the signature in the last line is not of the installation: the file was made or ' +
          'changed elsewhere, or the key was replaced and that one was not given',
      );
    this.end = end;
  }

  checkSignature(checkpoint) {
    if (checkpoint.mac !== undefined) this.older += 1;
    else if (checkpoint.unsigned !== undefined && !this.isSigned(checkpoint, checkpoint.unsigned))
      throw new Bad(
        `the checkpoint of ${checkpoint.day} was not signed by the installation, or the key ` +
          'was replaced and that one was not given',
      );
  }

  /**
   * Whether a line has an Ed25519 signature by one of the given keys; true when no key was given,
   * because then no signature is checked.
   */
  isSigned({ key, signature }, text) {
    if (this.keys.length === 0) return true;
    if (!this.keys.includes(key) || !/^[0-9a-f]{128}$/.test(signature)) return false;
    const x = Buffer.from(key, 'hex').toString('base64url');
    return verify(
      null,
      Buffer.from(text, 'utf8'),
      createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }),
      Buffer.from(signature, 'hex'),
    );
  }

  compare(checkpoint) {
    if (checkpoint.entries !== this.last.seq || checkpoint.merchant !== this.header.merchant)
      return;
    if (checkpoint.head !== this.last.hash)
      throw new Bad(
        `entry ${this.last.seq} is not the one that the checkpoint of ${checkpoint.day} saw: ` +
          'the chain was made anew at it or before it',
      );
    this.held += 1;
  }
}

/**
 * Reads a line of a checkpoints file, or the header of an earlier export, which names the export's
 * newest entry too. Null for a line that a crash cut off while it was written: it proves nothing,
 * and the report counts it.
 */
function readCheckpoint(line) {
  let value;
  try {
    value = json(line, 'a line of the checkpoints');
  } catch {
    return null;
  }
  if (value.export === 'audit')
    return {
      merchant: value.merchant,
      day: value.exportedAt,
      entries: value.head.seq,
      head: value.head.hash,
    };
  const { mac, signature, ...unsigned } = value;
  if (
    value.checkpoint !== 'audit' ||
    !Number.isSafeInteger(value.entries) ||
    !HASH.test(value.head)
  )
    throw new Bad('a line of the checkpoints is not a checkpoint');
  return { ...unsigned, mac, signature, unsigned: JSON.stringify(unsigned) };
}

function utf8(bytes, where) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Bad(`${where} is not text`);
  }
}

function json(text, where) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  if (value === null || typeof value !== 'object') throw new Bad(`${where} cannot be read`);
  return value;
}

function sha256(...parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}

/** Yields the lines of a file as bytes; the file may be larger than the memory. */
async function* linesOf(path) {
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(path)) {
    let from = 0;
    const all = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let at = all.indexOf(NEW_LINE); at !== -1; at = all.indexOf(NEW_LINE, from)) {
      yield all.subarray(from, at);
      from = at + 1;
    }
    rest = all.subarray(from);
  }
  if (rest.length > 0) yield rest;
}

/** Returns a checkpoints file's lines. Of an earlier export only the header is needed. */
function checkpointLines(path) {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return lines[0]?.startsWith('{"export"') ? [lines[0]] : lines;
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      checkpoints: { type: 'string', multiple: true, default: [] },
      'key-file': { type: 'string', multiple: true, default: [] },
      'print-key': { type: 'boolean', default: false },
    },
  });
  if (values['print-key']) return printKey();
  const [path] = positionals;
  if (path === undefined || positionals.length > 1)
    throw new Error(
      'usage: node scripts/verify-audit.mjs EXPORT.ndjson [--checkpoints FILE] [--key-file FILE]',
    );
  const verification = new Verification({
    checkpoints: values.checkpoints.flatMap(checkpointLines),
    keys: values['key-file'].map(publicKey),
  });
  for await (const line of linesOf(path)) verification.line(line);
  console.log(report(verification.finish()));
}

function publicKey(path) {
  const key = readFileSync(path, 'utf8').trim();
  if (!HASH.test(key)) throw new Error(`${path} holds no public key: 64 hexadecimal digits`);
  return key;
}

function report({ entries, last, personal, held, unread, older, approvals, ...more }) {
  const { signed, whole, withPersonal } = more;
  const values = withPersonal
    ? `${personal.proved} personal values proved, ${personal.erased} erased`
    : `${personal.erased} personal values not in this file`;
  const against =
    `${held} checkpoint${held === 1 ? '' : 's'} met` +
    `${unread === 0 ? '' : `, ${unread} not readable`}, ` +
    `signatures ${signed ? 'checked' : 'not checked (no key)'}` +
    (signed && older > 0
      ? `, but for ${older} of an older form, which only the installation can check`
      : '') +
    (approvals === 0 ? '' : `, ${approvals} approvals signed by passkeys`);
  if (!whole)
    return (
      `OK: ${entries} selected entries, each fits its own hash; that none is missing only a ` +
      `whole export can show. ${values}; ${against}.`
    );
  return (
    `OK: ${entries} entries, the chain is whole from 1 to ${last.seq}, head ${last.hash}. ` +
    `${values}; ${against}.`
  );
}

/**
 * Prints the public half of the current signing key, which is derived from the first key of
 * DATA_KEY.
 */
function printKey() {
  const dataKey = (process.env.DATA_KEY ?? '').split(',')[0].trim();
  if (dataKey === '') throw new Error('DATA_KEY is not set');
  const seed = Buffer.from(hkdfSync('sha256', dataKey, 'dashboard', 'audit-signature', 32));
  const key = createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
    format: 'der',
    type: 'pkcs8',
  });
  console.log(
    Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x, 'base64url').toString('hex'),
  );
}

if (import.meta.main ?? process.argv[1]?.endsWith('verify-audit.mjs')) {
  main().catch((error) => {
    console.error(error instanceof Bad ? `BAD: ${error.message}` : error.message);
    process.exitCode = error instanceof Bad ? 1 : 2;
  });
}
