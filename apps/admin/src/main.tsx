import './app/base.css';
// Only the components in use: all of Mantine's styles are twice the size.
import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/default-css-variables.layer.css';
import '@mantine/core/styles/global.layer.css';
import '@mantine/core/styles/UnstyledButton.layer.css';
import '@mantine/core/styles/VisuallyHidden.layer.css';
import '@mantine/core/styles/Group.layer.css';
import '@mantine/core/styles/Stack.layer.css';
import '@mantine/core/styles/Button.layer.css';
import '@mantine/core/styles/Input.layer.css';
// After Input.css, whose descriptions have no indent.
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/PasswordInput.layer.css';
import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/RadioCard.layer.css';
import '@mantine/core/styles/RadioIndicator.layer.css';
import '@mantine/core/styles/Chip.layer.css';
import '@mantine/core/styles/Skeleton.layer.css';
import '@mantine/core/styles/Alert.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Combobox.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import '@mantine/core/styles/Kbd.layer.css';
import '@mantine/core/styles/Table.layer.css';
import '@mantine/core/styles/Stepper.layer.css';
import '@mantine/core/styles/Progress.layer.css';
import '@mantine/core/styles/SimpleGrid.layer.css';
import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import '@mantine/core/styles/ThemeIcon.layer.css';
import '@mantine/core/styles/TableOfContents.layer.css';
import '@mantine/core/styles/Typography.layer.css';
import './app/mantine.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.js';
import { printLight } from './app/theme.js';
import { followSignInLinks } from './shared/session.js';

// First, so that a key leaves the address before the router reads it.
followSignInLinks();
// A browser opens a file that is dropped next to a field, and may leave the page for it.
addEventListener('dragover', ignoreFile);
addEventListener('drop', ignoreFile);
printLight();
const element = document.querySelector('#root');
if (!element) throw new Error('index.html has no #root');
createRoot(element).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

function ignoreFile(event: DragEvent): void {
  const { dataTransfer, target } = event;
  const isField = target instanceof Element && target.matches('input[type=file]');
  if (isField || !dataTransfer?.types.includes('Files')) return;
  event.preventDefault();
  dataTransfer.dropEffect = 'none';
}
