import { describe, expect, it } from '@jest/globals';
import { postgresStore } from './postgres.ts';

describe('postgresStore', () => {
  it('calls a failure temporary only when the network is why', async () => {
    await expect(postgresStore({ url: 'postgres://127.0.0.1:1/maw' })).rejects.toMatchObject({
      isTemporary: true,
      message: expect.stringContaining('ECONNREFUSED'),
    });
    const opening = postgresStore({ url: 'postgres://127.0.0.1:99999/maw' });
    await expect(opening).rejects.toMatchObject({ code: 'ERR_INVALID_URL' });
    await expect(opening).rejects.not.toHaveProperty('isTemporary');
  });
});
