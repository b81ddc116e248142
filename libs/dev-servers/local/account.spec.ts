import { describe, expect, it } from '@jest/globals';
import { pickAccount } from './account.ts';

describe('pickAccount', () => {
  const passwd = 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65533::/:/bin/false\npostgres:x:101:104:,,,:/var:/bin/sh\n';

  it('prefers the order of the names to that of the file', () => {
    expect(pickAccount(passwd, ['postgres', 'nobody'])).toEqual({ name: 'postgres', uid: 101, gid: 104 });
    expect(pickAccount(passwd, ['rabbitmq', 'nobody'])).toEqual({ name: 'nobody', uid: 65534, gid: 65533 });
  });

  it('returns undefined when no name is a user', () => {
    expect(pickAccount(passwd, ['rabbitmq'])).toBeUndefined();
  });
});
