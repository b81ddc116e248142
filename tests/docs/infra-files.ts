import { definitions } from '@maw/bus/rabbitmq/definitions.ts';
import { grantsSql, rolesSql } from '@maw/store/sql/roles.ts';

type File = readonly [path: string, text: string];

/** What a broker is to import, without passwords. */
export const definitionsFile = (): File => [
  'infra/rabbitmq/definitions.json',
  `${JSON.stringify(definitions({ vhost: 'maw' }), undefined, 2)}\n`,
];

/** The roles of a database. */
export const rolesFile = (): File => [
  'infra/postgres/roles.sql',
  `-- Written from libs/store/sql/roles.ts; do not edit. Makes the roles of MAW. Run it in its database, once, as a role that may make roles.
-- Nobody comes in by a role until it is given a password: \\password maw_gamemaster
${rolesSql()}`,
];

/** What those may do. */
export const grantsFile = (): File => [
  'infra/postgres/grants.sql',
  `-- Written from libs/store/sql/roles.ts; do not edit. What each role may do with the tables. \`maw migrate\` does the same after it has brought the
-- tables up to date; by hand it is run as maw_owner.
${grantsSql()}`,
];
