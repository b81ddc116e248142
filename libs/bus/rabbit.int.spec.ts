import { describe } from '@jest/globals';
import { busSuite } from './bus.suite.ts';
import { brokerForTests, rabbitGround } from './rabbit-ground.suite.ts';
import { healingSuite } from './healing.suite.ts';
import { topologySuite } from './topology.suite.ts';

// The bus over RabbitMQ; skipped by name where AMQP_URL does not say which broker to use.
const url = brokerForTests ?? '';
const here = brokerForTests ? describe : describe.skip;
const reason = brokerForTests ? '' : ' (skipped: AMQP_URL is not set)';

here(`the bus over RabbitMQ${reason}`, () => {
  busSuite('RabbitMQ', () => rabbitGround(url));
});
here(`RabbitMQ heals${reason}`, () => {
  healingSuite(() => rabbitGround(url));
});
here(`what is on the broker${reason}`, () => {
  topologySuite(() => rabbitGround(url), url);
});
