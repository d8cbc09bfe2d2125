import { isOutcomeUnknown } from '../../shared/describe-error.js';
import { ErrorNotice } from '../../shared/error-notice.js';

/** Why an animal was not added, or that it is not known whether it was. */
export function NotAdded({ error }: { error: unknown }) {
  const isUnknown = isOutcomeUnknown(error);
  return (
    <ErrorNotice error={error} title={isUnknown ? 'It is not known whether the animal was added' : 'Not added'}>
      {isUnknown && <p>Add it again: the service recognises it, and never adds it twice.</p>}
    </ErrorNotice>
  );
}
