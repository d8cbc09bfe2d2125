import { PetstoreApiError, PetstoreNetworkError, PetstoreTimeoutError } from '@petstore/client';

interface Description {
  title: string;
  message: string;
  /** Under which the service's log has it. */
  requestId?: string | undefined;
}

/** What went wrong, for people. What the service says is shown as it is. */
export function describeError(error: unknown): Description {
  if (error instanceof PetstoreApiError) {
    return { title: titleOf(error.status), message: error.message, requestId: error.requestId };
  }
  if (error instanceof PetstoreNetworkError) {
    return {
      title: 'No connection',
      message: 'The service cannot be reached. Is this device on the network of the store?',
    };
  }
  if (error instanceof PetstoreTimeoutError) {
    return { title: 'No answer', message: 'The service took too long to answer.' };
  }
  return {
    title: 'Something went wrong on this page',
    message: error instanceof Error ? error.message : String(error),
  };
}

function titleOf(status: number): string {
  if (status === 403) return 'This key may not do that';
  if (status === 429) return 'Too many requests';
  if (status === 503) return 'The service is not available right now';
  if (status >= 500) return 'The service has a problem';
  return 'The service refused this';
}
