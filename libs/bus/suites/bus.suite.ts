import { describe } from '@jest/globals';
import type { BusFixture } from './fixture.suite.ts';
import { lifeSuite } from './shutdown.suite.ts';
import { poolSuite } from './consumer.suite.ts';
import { requestSuite } from './request.suite.ts';
import { traceSuite } from './trace.suite.ts';
import { unreadableSuite } from './unreadable.suite.ts';

/** What every bus does, over a broker and in memory. `open` gives each test a ground of its own. */
export function busSuite(name: string, open: () => Promise<BusFixture>): void {
  describe(`${name}: a request`, () => {
    requestSuite(open);
  });
  describe(`${name}: a pool`, () => {
    poolSuite(open);
  });
  describe(`${name}: what cannot be read`, () => {
    unreadableSuite(open);
  });
  describe(`${name}: a life`, () => {
    lifeSuite(open);
  });
  describe(`${name}: a trace`, () => {
    traceSuite(open);
  });
}
