import { expect, it } from '@jest/globals';
import { fuzzHttp } from '../equipment/web/http-fuzz.ts';

it('answers generated requests as the OpenAPI document says, and never with 500 or above', async () => {
  const { statuses, operations } = await fuzzHttp({ requests: 200, seed: 1 });
  expect(operations).toBeGreaterThan(20);
  for (const status of [200, 400, 401, 403, 404]) expect(statuses[status]).toBeGreaterThan(0);
});
