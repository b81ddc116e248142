import { describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import { mint } from '../web.suite.ts';
import { tokenSigner } from './token.ts';
import type { Pass } from './roles.ts';

const secret = Buffer.alloc(64, '0123456789abcdef');
const noon = Date.parse('2026-01-01T12:00:00Z');
let now = noon;
const signed = tokenSigner({ secret, now: () => now });
const ann: Pass = { role: 'seat', table: 't1', seat: 3 };

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const good = { ...ann, aud: 'maw', jti: 'x', exp: noon / 1000 + 60 };
const forged = (claims: Record<string, unknown>, by: { key?: Uint8Array; alg?: string } = {}) =>
  new SignJWT(claims).setProtectedHeader({ alg: by.alg ?? 'HS256' }).sign(by.key ?? secret);

describe('tokenSigner', () => {
  it('verifies a token until it expires', async () => {
    now = noon;
    const { token, until } = await mint(signed, ann, now);
    expect(until).toBe(noon + 60_000);
    expect(await signed.verify(token)).toMatchObject({ pass: ann, subject: 't1/seat:3', until });
    now = noon + 59_000;
    await expect(signed.verify(token)).resolves.toBeDefined();
    now = noon + 60_000;
    await expect(signed.verify(token)).rejects.toMatchObject({ reason: 'bad-token', detail: expect.stringContaining('expired') });
    now = noon;
  });

  it('gives each token its own id and the same subject', async () => {
    const [one, two] = await Promise.all(
      [mint(signed, ann, now), mint(signed, ann, now)].map(async (made) => signed.verify((await made).token)),
    );
    expect(one!.id).not.toBe(two!.id);
    expect(one!.subject).toBe(two!.subject);
  });

  it('accepts claims signed with its secret', async () => {
    expect((await signed.verify(await forged(good))).pass).toEqual(ann);
  });

  it.each([
    ['signed by somebody else', () => forged(good, { key: Buffer.from('f'.repeat(32)) })],
    ['signed with another algorithm', () => forged(good, { alg: 'HS512' })],
    ['for another audience', () => forged({ ...good, aud: 'elsewhere' })],
    ['for no audience', () => forged({ ...good, aud: undefined })],
    ['without an end', () => forged({ ...good, exp: undefined })],
    ['without a name of its own', () => forged({ ...good, jti: undefined })],
    ['of an unknown role', () => forged({ ...good, role: 'king' })],
    ['of a seat without a number', () => forged({ ...good, seat: undefined })],
    ['not signed at all', async () => `${base64({ alg: 'none' })}.${base64(good)}.`],
    ['not signed, with a signature’s length', async () => `${base64({ alg: 'none', typ: 'JWT' })}.${base64(good)}.${'A'.repeat(43)}`],
    [
      'changed after it was signed',
      async () => {
        const [head, , signature] = (await forged(good)).split('.');
        return `${head}.${base64({ ...good, seat: 4 })}.${signature}`;
      },
    ],
    ['no token', async () => 'rubbish'],
  ])('refuses a token that is %s', async (_, make) => {
    await expect(signed.verify(await make())).rejects.toMatchObject({ reason: 'bad-token' });
  });
});

describe('tokenSigner.sign', () => {
  const about = { id: 'id-1', name: 'Ann Lee', n: 7 };

  it('signs name and number, and equal arguments give an equal token', async () => {
    now = noon;
    const token = await signed.sign(ann, about, noon, noon + 60_999);
    expect(await signed.verify(token)).toEqual({
      pass: ann,
      subject: 't1/seat:3',
      id: 'id-1',
      name: 'Ann Lee',
      n: 7,
      until: noon + 60_000,
    });
    expect(await signed.sign(ann, about, noon, noon + 60_999)).toBe(token);
  });

  it('gives each administrator a subject of its own', async () => {
    const subjectFor = async (name: string) =>
      (await signed.verify(await signed.sign({ role: 'admin' }, { ...about, name }, noon, noon + 60_000))).subject;
    expect(await subjectFor('Ann')).not.toBe(await subjectFor('Bo'));
  });

  it('reads a missing number as 0 and refuses a negative one', async () => {
    expect((await signed.verify(await forged(good))).n).toBe(0);
    await expect(signed.verify(await forged({ ...good, n: -1 }))).rejects.toMatchObject({ reason: 'bad-token' });
  });
});

describe('a token of an earlier version', () => {
  it('is valid when its audience names a part of the installation, and not when it is of another program', async () => {
    now = noon;
    const old = { ...good, table: 'eu1-t1' };
    for (const aud of ['maw', 'maw/eu1', 'maw/europe01'])
      expect((await signed.verify(await forged({ ...old, aud }))).pass).toEqual({ role: 'seat', table: 'eu1-t1', seat: 3 });
    for (const aud of ['maw/', 'maw/<b>', 'maw/europe012', 'xmaw', 'other/eu1', ['maw', 'maw/eu1'], undefined])
      await expect(signed.verify(await forged({ ...old, aud }))).rejects.toMatchObject({ detail: 'the token is not valid here' });
  });
});

describe('secret rotation', () => {
  const [one, two, three] = ['1', '2', '3'].map((digit) => Buffer.alloc(32, digit)) as [Buffer, Buffer, Buffer];
  const old = tokenSigner({ secret: one, now: () => noon });
  const both = tokenSigner({ secret: two, oldSecrets: [one], now: () => noon });
  const next = tokenSigner({ secret: two, now: () => noon });

  it('verifies with every secret and signs with the first', async () => {
    const [before, after] = [(await mint(old, ann, now)).token, (await mint(both, ann, now)).token];
    for (const token of [before, after]) expect((await both.verify(token)).pass).toEqual(ann);
    expect((await next.verify(after)).pass).toEqual(ann);
    await expect(next.verify(before)).rejects.toMatchObject({ reason: 'bad-token' });
    await expect(old.verify(after)).rejects.toMatchObject({ reason: 'bad-token' });
    await expect(both.verify((await mint(tokenSigner({ secret: three, now: () => noon }), ann, now)).token)).rejects.toMatchObject({
      reason: 'bad-token',
    });
  });

  it('refuses expired tokens of every secret', async () => {
    const late = tokenSigner({ secret: two, oldSecrets: [one], now: () => noon + 60_000 });
    for (const by of [old, both])
      await expect(late.verify((await mint(by, ann, now)).token)).rejects.toMatchObject({ detail: expect.stringContaining('expired') });
  });
});
