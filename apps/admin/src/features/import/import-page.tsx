import { useEffect } from 'react';
import { ListLink } from '../../shared/links.js';
import { LoadingRows, Page } from '../../shared/page.js';
import { useCanAdd } from '../../shared/store-info.js';
import { CheckedRows } from './checked-rows.js';
import { ChooseFile } from './choose-file.js';
import { openImport } from './import-session.js';
import { useImportState } from './import-state.js';
import { MatchColumns } from './match-columns.js';
import { RunningImport, StoredImport } from './running-import.js';

export function ImportPage() {
  const canAdd = useCanAdd();
  return (
    <Page title="Import animals" above={<ListLink />}>
      {canAdd === undefined && <LoadingRows count={6} />}
      {canAdd === false && <p>{"You don't have permission to add animals. Ask your manager."}</p>}
      {canAdd && <ImportStep />}
    </Page>
  );
}

function ImportStep() {
  const state = useImportState();
  useEffect(() => {
    if (state.step === 'loading') void openImport();
  }, [state.step]);
  switch (state.step) {
    case 'choose':
      return <ChooseFile error={state.error} />;
    case 'match':
      return <MatchColumns file={state.file} start={state.start} />;
    case 'checked':
      return <CheckedRows {...state} />;
    case 'stored':
      return <StoredImport file={state.file} />;
    case 'running':
    case 'paused':
    case 'done':
      return <RunningImport run={state} />;
    case 'checking':
    case 'loading':
  }
  return <LoadingRows count={6} />;
}
