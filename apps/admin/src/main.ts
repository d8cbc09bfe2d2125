// Styles first, so that those of our components override Mantine's.
// Only the components in use: all of Mantine's styles are twice the size.
import '@mantine/core/styles/baseline.css';
import '@mantine/core/styles/default-css-variables.css';
import '@mantine/core/styles/global.css';
import '@mantine/core/styles/UnstyledButton.css';
import '@mantine/core/styles/VisuallyHidden.css';
import '@mantine/core/styles/Group.css';
import '@mantine/core/styles/Stack.css';
import '@mantine/core/styles/Button.css';
import '@mantine/core/styles/Input.css';
// After Input.css, whose descriptions have no indent.
import '@mantine/core/styles/InlineInput.css';
import '@mantine/core/styles/PasswordInput.css';
import '@mantine/core/styles/Checkbox.css';
import '@mantine/core/styles/Radio.css';
import '@mantine/core/styles/Alert.css';
import '@mantine/core/styles/Popover.css';
import '@mantine/core/styles/Combobox.css';
import '@mantine/core/styles/Menu.css';
import '@mantine/core/styles/Kbd.css';
import '@mantine/core/styles/Table.css';
import '@mantine/core/styles/Stepper.css';
import '@mantine/core/styles/Progress.css';
import '@mantine/core/styles/FloatingIndicator.css';
import '@mantine/core/styles/SegmentedControl.css';
import './app/base.css';
import './app/mantine.css';
import { prefetchPage } from './app/queries.js';
import { ignoreDroppedFiles } from './shared/dropped-files.js';
import { isNewVisit, restoreLastList } from './shared/list-search.js';
import { followSignInLinks, joinOtherTabs } from './shared/session.js';

// First, so that a key leaves the address before the router reads it.
followSignInLinks();
restoreLastList();
ignoreDroppedFiles();
const code = import('./app/app.js');
await joinOtherTabs();
// Requests the data of the page while most of the code still loads.
const prefetched = prefetchPage(location);
await (await code).start(isNewVisit() ? undefined : prefetched);
