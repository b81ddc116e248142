import { expect, it } from '@jest/globals';
import { Unavailable } from '../strategy.ts';
import { installWithApt } from './apt.ts';

it('installs nothing that the user does not allow', async () => {
  const said: string[] = [];
  const asked: string[] = [];
  const ask = async (name: string) => {
    asked.push(name);
    return false;
  };
  const installing = installWithApt('no-such-package', (line) => said.push(line), ask);
  await expect(installing).rejects.toThrow(Unavailable); // without root or apt-get it is not even asked
  expect(said).toEqual([]);
  if (asked.length > 0) await expect(installing).rejects.toThrow(/--install allows it/);
});
