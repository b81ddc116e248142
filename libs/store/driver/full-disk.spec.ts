import { expect, it } from '@jest/globals';
import { watchDisk } from './full-disk.ts';

it('takes the disk for full from a refused statement until the same one succeeds or is not repeated', async () => {
  let [now, code] = [0, ''];
  const query = async () => {
    if (code) throw Object.assign(new Error('refused'), { code });
    return { rows: [], affected: 1 };
  };
  const sql = watchDisk({ query, close: async () => undefined }, () => now);
  const refuse = async (text: string, by: string): Promise<void> => {
    code = by;
    await expect(sql.query(text)).rejects.toThrow('refused');
    code = '';
  };
  await refuse('insert', '40001');
  expect(sql.isFull()).toBe(false);
  await refuse('insert', '53100');
  await sql.query('select');
  expect(sql.isFull()).toBe(true);
  expect(await sql.query('insert')).toEqual({ rows: [], affected: 1 });
  expect(sql.isFull()).toBe(false);
  await refuse('insert', '53100');
  now = 6_000;
  expect(sql.isFull()).toBe(true);
  now++;
  expect(sql.isFull()).toBe(false);
});
