import { describe } from '@jest/globals';
import type { BusFixture } from './fixture.suite.ts';
import { shutdownSuite } from './shutdown.suite.ts';
import { consumerSuite } from './consumer.suite.ts';
import { partsSuite } from './parts.suite.ts';
import { pauseSuite } from './pause.suite.ts';
import { requestSuite } from './request.suite.ts';
import { traceSuite } from './trace.suite.ts';
import { unreadableSuite } from './unreadable.suite.ts';

/** What every bus does, over a broker and in memory. `open` gives each test a fixture of its own. */
export function busSuite(name: string, open: () => Promise<BusFixture>): void {
  describe(`${name}: a request`, () => {
    requestSuite(open);
  });
  describe(`${name}: a consumer`, () => {
    consumerSuite(open);
  });
  describe(`${name}: an unreadable message`, () => {
    unreadableSuite(open);
  });
  describe(`${name}: a divided queue`, () => {
    partsSuite(open);
  });
  describe(`${name}: pausing`, () => {
    pauseSuite(open);
  });
  describe(`${name}: closing`, () => {
    shutdownSuite(open);
  });
  describe(`${name}: tracing`, () => {
    traceSuite(open);
  });
}
