throw new Error("this worker throws while it loads");
