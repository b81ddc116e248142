import { Component, type ReactNode } from 'react';
import { en } from '../text/en.ts';
import styles from './ui.module.css';
import { HomeLink } from './visitor.tsx';

interface Props {
  readonly children: ReactNode;
}

interface State {
  readonly error?: Error;
}

/** Says that a page has failed, and why, where React would leave it blank. React has no hook for it. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = {};

  static getDerivedStateFromError(error: Error): State {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <div className={styles['problem']} role="alert">
        <h1>{en.problem.crashed}</h1>
        <p>{error.message}</p>
        <p className={styles['row']}>
          <button type="button" onClick={() => location.reload()}>
            {en.problem.reload}
          </button>
          <HomeLink />
        </p>
      </div>
    );
  }
}
