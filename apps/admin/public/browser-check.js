// For browsers that cannot run the code of Petstore. In JavaScript that each of them reads.
addEventListener('load', function () {
  var notice = document.querySelector('#unsupported');
  // The code removes it when it starts.
  if (notice) notice.hidden = false;
});
