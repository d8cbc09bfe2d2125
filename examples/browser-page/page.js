/** Lists and adds animals in a browser. The service must allow the origin of this page in CORS_ORIGINS. */
import { PetstoreClient } from '@petstore/client';

const [connection, animal] = document.forms;
const status = document.querySelector('[role=status]');
const list = document.querySelector('ol');

function createClient() {
  const fields = new FormData(connection);
  return new PetstoreClient({ baseUrl: new URL('/v1', fields.get('url')), apiKey: fields.get('apiKey') });
}

async function showNewest(client) {
  const { pets, total } = await client.listPets({ order: 'desc', limit: 10, count: true }).page();
  status.textContent = `${total} animals`;
  // `textContent` shows names as text, also those that contain HTML.
  const items = pets.map(({ id, name, categoryId }) =>
    Object.assign(document.createElement('li'), { textContent: `${id} ${name} (${categoryId})` }),
  );
  list.replaceChildren(...items);
}

async function addAnimal(client) {
  const { name, categoryId } = Object.fromEntries(new FormData(animal));
  await client.createPet({ name, categoryId: BigInt(categoryId) });
  await showNewest(client);
}

async function run(action) {
  try {
    await action(createClient());
  } catch (error) {
    status.textContent = error.message;
  }
}

/** Runs an action when a form is submitted, and shows its error. */
function onSubmit(form, action) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    // The browser names an empty field. Both forms need the service and the key.
    if (connection.reportValidity()) void run(action);
  });
}

onSubmit(connection, showNewest);
onSubmit(animal, addAnimal);
