import { describe, expect, it } from '@jest/globals';
import { readDevServersConfig, serverEnvironment } from './config.ts';

describe('the configuration of dev servers', () => {
  it('reads servers and images; an empty variable counts as unset', () => {
    expect(readDevServersConfig({ AMQP_URL: '', DATABASE_URL: 'postgres://x', MAW_RABBITMQ_IMAGE: 'mine:1', PATH: '/a::/b' })).toEqual({
      amqpUrl: undefined,
      databaseUrl: 'postgres://x',
      rabbitmqImage: 'mine:1',
      postgresImage: 'pgvector/pgvector:0.8.6-pg17',
      ryukImage: 'testcontainers/ryuk:0.14.0',
      path: ['/a', '/b'],
      tls: expect.anything(),
    });
  });

  it('keeps variables that name other servers from a started server', () => {
    process.env['RABBITMQ_NODENAME'] = 'other@host';
    process.env['PGDATA'] = '/elsewhere';
    try {
      const env = serverEnvironment({ HOME: '/server' });
      expect(env).toMatchObject({ HOME: '/server', PATH: process.env['PATH'] });
      expect(Object.keys(env)).not.toEqual(expect.arrayContaining(['RABBITMQ_NODENAME']));
      expect(Object.keys(env)).not.toEqual(expect.arrayContaining(['PGDATA']));
    } finally {
      delete process.env['RABBITMQ_NODENAME'];
      delete process.env['PGDATA'];
    }
  });
});
