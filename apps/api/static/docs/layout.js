/** The page may send requests only to this service (connect-src 'self'), so it offers no other server. */
export const thisService = () => ({
  wrapComponents: { ServersContainer: () => () => null },
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (update) => (document) => {
          const isHere = ({ url }) => new URL(url, location).origin === location.origin;
          const here = (document.servers ?? []).find(isHere) ?? { url: '/v1', description: 'This service' };
          return update({ ...document, servers: [here] });
        },
      },
    },
  },
});

/** Folds the introduction after its first paragraph, so that the operations are near the top. */
export const foldedIntroduction = () => ({
  wrapComponents: {
    InfoContainer: (Original, { React, getComponent, specSelectors }) =>
      function FoldedInfo(props) {
        const Markdown = getComponent('Markdown', true);
        const source = specSelectors.info().get('x-introduction');
        return React.createElement(
          React.Fragment,
          null,
          React.createElement(Original, props),
          React.createElement(
            'details',
            { className: 'info introduction' },
            React.createElement('summary', null, React.createElement('h2', null, 'How to use the API')),
            React.createElement(Markdown, { source }),
          ),
        );
      },
  },
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (update) => (document) => {
          const [description, ...sections] = document.info.description.split('\n\n');
          update({ ...document, info: { ...document.info, description, 'x-introduction': sections.join('\n\n') } });
        },
      },
    },
  },
});
