/** A browser opens a file that is dropped next to a field, and may leave the page for it. */
export function ignoreDroppedFiles(): void {
  addEventListener('dragover', ignoreFile);
  addEventListener('drop', ignoreFile);
}

function ignoreFile(event: DragEvent): void {
  const { dataTransfer, target } = event;
  const isField = target instanceof Element && target.matches('input[type=file]');
  if (isField || !dataTransfer?.types.includes('Files')) return;
  event.preventDefault();
  dataTransfer.dropEffect = 'none';
}
