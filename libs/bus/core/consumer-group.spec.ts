import { describe, expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import { consumerGroup } from './consumer-group.ts';

/** A broker that counts consumers; opening and stopping one may be held up. */
function broker() {
  const counts = { opened: 0, alive: 0, stopping: 0 };
  const [mayOpen, mayStop] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const failures: Error[] = [];
  const open = async () => {
    counts.opened++;
    await mayOpen.promise;
    const failure = failures.shift();
    if (failure) throw failure;
    counts.alive++;
    const stop = async () => {
      counts.alive--;
      counts.stopping++;
      await mayStop.promise;
    };
    const cancel = async () => void counts.alive--;
    return { stop, cancel, drain: () => mayStop.promise };
  };
  return { counts, failures, mayOpen, mayStop, open };
}

describe('a group of consumers', () => {
  it('consumes again when it is resumed while a consumer opened in vain is being stopped', async () => {
    const { counts, mayOpen, mayStop, open } = broker();
    const group = consumerGroup();
    const adding = group.add(open);
    await group.pause();
    mayOpen.resolve();
    await pollUntil('the consumer is being stopped', () => counts.stopping === 1);
    const resuming = group.resume();
    mayStop.resolve();
    await Promise.all([adding, resuming]);
    expect([counts.alive, group.isPaused()]).toEqual([1, false]);
  });

  it('counts as paused until all consumers are open, one that is added meanwhile included', async () => {
    const { counts, mayOpen, open } = broker();
    const group = consumerGroup();
    await group.pause();
    await group.add(open);
    const resuming = group.resume();
    const adding = group.add(open);
    await pollUntil('both are being opened', () => counts.opened === 2);
    expect(group.isPaused()).toBe(true);
    mayOpen.resolve();
    await Promise.all([resuming, adding]);
    expect([counts.alive, group.isPaused()]).toEqual([2, false]);
  });

  it('stays paused when a consumer cannot be opened, until a later try succeeds', async () => {
    const { counts, failures, mayOpen, open } = broker();
    const group = consumerGroup();
    await group.pause();
    await group.add(open);
    failures.push(new Error('no such queue'));
    mayOpen.resolve();
    await expect(group.resume()).rejects.toThrow('no such queue');
    expect([counts.alive, group.isPaused()]).toEqual([0, true]);
    await group.resume();
    expect([counts.alive, group.isPaused()]).toEqual([1, false]);
  });

  it('stays paused when it is paused again while it is being resumed', async () => {
    const { counts, mayOpen, mayStop, open } = broker();
    const group = consumerGroup();
    await group.pause();
    await group.add(open);
    const resuming = group.resume();
    await group.pause();
    mayOpen.resolve();
    mayStop.resolve();
    await resuming;
    expect([counts.alive, group.isPaused()]).toEqual([0, true]);
  });
});
