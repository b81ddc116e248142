import { pgliteSql } from '@maw/store/pglite.ts';
import { GAMES, verifySuite } from './verify.suite.ts';

// It does one statement after another; the other games are played on the other stores.
verifySuite(
  'on PGlite',
  () => pgliteSql(),
  GAMES.filter(({ table }) => table === 'maw' || table === 'running'),
);
