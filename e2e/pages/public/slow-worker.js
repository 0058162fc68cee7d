// A worker that takes half a second before it can answer, with the script that its address names inside of it.
const { request } = LockManager.prototype;
LockManager.prototype.request = async function (...args) {
  await new Promise((resolve) => setTimeout(resolve, 500));
  return request.apply(this, args);
};
importScripts(new URL(location.href).searchParams.get("script"));
