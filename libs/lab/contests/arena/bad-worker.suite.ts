import { withBadMinds } from './bad-minds.suite.ts';
import { serveContest } from './serve-contest.ts';

export default serveContest(() => withBadMinds);
