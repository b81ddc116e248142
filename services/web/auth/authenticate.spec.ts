import { describe, expect, it } from '@jest/globals';
import { isLoopback } from '@maw/service/loopback.ts';
import { authenticator } from './authenticate.ts';
import { tokenSigner } from './token.ts';

const signed = tokenSigner({ secret: Buffer.alloc(32, 1), now: Date.now });
const adminToken = 'sixteen or more letters'.replaceAll(' ', '-');
const closed = authenticator({ tokens: signed, adminToken, isOpen: false });
const open = authenticator({ tokens: signed, adminToken: undefined, isOpen: true });
const host = '127.0.0.1:8080';

describe('who asks', () => {
  it('is nobody without a token', async () => {
    expect((await closed({ authorization: undefined, host })).pass).toEqual({ role: 'nobody' });
  });

  it('is the administrator with the administrator’s token, whole', async () => {
    expect((await closed({ authorization: `Bearer ${adminToken}`, host })).pass).toEqual({ role: 'admin' });
    expect((await closed({ authorization: `bearer ${adminToken}`, host })).pass).toEqual({ role: 'admin' });
    for (const wrong of [adminToken.slice(1), `${adminToken}x`, adminToken.toUpperCase()])
      await expect(closed({ authorization: `Bearer ${wrong}`, host })).rejects.toMatchObject({ reason: 'bad-token' });
  });

  it('is never the administrator where no administrator’s token is set', async () => {
    for (const token of ['undefined', adminToken, ''])
      await expect(open({ authorization: `Bearer ${token}`, host })).rejects.toMatchObject({ reason: 'bad-token' });
  });

  it('must say it as a bearer', async () => {
    for (const authorization of [adminToken, `Basic ${adminToken}`, 'Bearer', 'Bearer a b', ''])
      await expect(closed({ authorization, host })).rejects.toMatchObject({
        reason: 'bad-token',
        headers: { 'WWW-Authenticate': expect.stringContaining('invalid_token') },
      });
  });

  it('is anybody at an open door, asked for by a name of this machine', async () => {
    for (const name of ['127.0.0.1:8080', 'localhost', 'LOCALHOST:1', '[::1]:8080', '127.9.9.9'])
      expect((await open({ authorization: undefined, host: name })).pass).toEqual({ role: 'anybody' });
  });

  it('is nobody at an open door asked for by another name: a page elsewhere has pointed its name here', async () => {
    for (const name of ['evil.example', 'localhost.evil.example:8080', '127.0.0.1.evil.example', '10.0.0.1', undefined])
      expect((await open({ authorization: undefined, host: name })).pass).toEqual({ role: 'nobody' });
  });
});

describe('an address of this machine alone', () => {
  it('is told from others', () => {
    expect(['127.0.0.1', '127.1.2.3', 'localhost', '::1'].filter((each) => !isLoopback(each))).toEqual([]);
    expect(['0.0.0.0', '::', '10.0.0.1', '127.0.0.1.example.org', '128.0.0.1', '', 'example.org'].filter(isLoopback)).toEqual([]);
  });
});
