import { useEffect, useState } from 'react';
import type { ApiClient } from '@maw/api-client/client.ts';
import { browserTabs } from '../api/leader.ts';
import type { StreamMessage } from '../api/stream-messages.ts';
import type { EyeName } from '../scene/eyes.ts';
import { openSession, type Session } from '../scene/session.ts';

/** The session of a view; closed when the page leaves it. Undefined until it is open. */
export function useSession(client: ApiClient, table: string, source: EyeName): Session | undefined {
  const [tabs] = useState(() => browserTabs<StreamMessage>());
  const [session, setSession] = useState<Session>();
  useEffect(() => {
    const opened = openSession({ client, table, source, tabs });
    setSession(opened);
    return () => opened.close();
  }, [client, table, source, tabs]);
  return session?.source === source ? session : undefined;
}
